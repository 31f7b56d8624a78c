import "./tokens.css";
import "./page.css";
import "./elements/app.js";
import { keepForOffline } from "./offline.js";

keepForOffline();
