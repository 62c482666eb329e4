// The match's own modules. The board can be read and played without them by plain forms; these make it quick.
import "./board.js";
import "./pad.js";
import "./sound.js";
import "./turn.js";
