import "./tokens.css";
import "./page.css";
import "./endpoints.css";
import "./run.css";
import "./trace.css";
import "./elements/app.js";
import { keepForOffline } from "./offline.js";

keepForOffline();
