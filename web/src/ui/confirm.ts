import { html } from "lit";
import type { StileDialog } from "./dialog.js";

/** A question with two answers. The first changes nothing. */
export interface Question {
  readonly title: string;
  readonly text: string;
  readonly stay: string;
  readonly go: string;
}

/** Asks in a dialog; closing it changes nothing. */
export function ask({ title, text, stay, go }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = document.createElement("stile-dialog") as StileDialog;
    const answer = (goes: boolean): void => {
      resolve(goes);
      dialog.shown = false;
      void dialog.updateComplete.then(() => dialog.remove());
    };
    dialog.label = title;
    dialog.shown = true;
    dialog.body = html` <p>${text}</p>
      <div class="row wrap">
        <button class="button primary" type="button" autofocus @click=${() => answer(false)}>${stay}</button>
        <button class="button" type="button" @click=${() => answer(true)}>${go}</button>
      </div>`;
    dialog.addEventListener("dialog-closed", () => answer(false));
    document.body.append(dialog);
  });
}
