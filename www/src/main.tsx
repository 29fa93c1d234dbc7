import { render } from "preact";
import "./styles/tokens.css";
import { registerOffline } from "./offline/register.js";
import { App } from "./view/app.js";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
void registerOffline();
