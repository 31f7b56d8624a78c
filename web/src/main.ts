import "./tokens.css";
import "./page.css";
import "./elements/app.js";
