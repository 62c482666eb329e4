// A duel: what every table needs, and the measuring of one's line.
import "../table/table.js";
import "./lag.js";
