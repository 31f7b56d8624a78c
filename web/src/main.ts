import "./ui/tokens.css";
import "./page/styles.css";
import "./page/app.js";
import { keepForOffline } from "./page/offline.js";

keepForOffline();
