// What a table needs, of a match and of a duel alike. It can be read and played without by plain forms; these make it quick.
import "./board.js";
import "./pad.js";
import "./sound.js";
import "./turn.js";
