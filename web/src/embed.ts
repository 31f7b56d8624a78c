import "./tokens.css";
import "./page.css";
import "./embed.css";
import "./elements/embedded.js";
