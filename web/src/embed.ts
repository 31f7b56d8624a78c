import "./ui/tokens.css";
import "./page/page.css";
import "./page/embed.css";
import "./page/embedded.js";
