import "./ui/tokens.css";
import "./page/styles.css";
import "./page/embed.css";
import "./page/embedded.js";
