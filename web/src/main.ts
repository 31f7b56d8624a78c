import "./ui/tokens.css";
import "./page/page.css";
import "./page/app.js";
import { keepForOffline } from "./page/offline.js";

keepForOffline();
