// The page's own modules. Every page works without them, except the board.
import "./announce.js";
import "./busy.js";
import "./connection.js";
import "./countdown.js";
import "./dialog.js";
import "./fields.js";
import "./live.js";
import "./pictures.js";
import "./proof.js";
import "./replay.js";
import "./title.js";
import "./toast.js";
