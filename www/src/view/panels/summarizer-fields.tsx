// What each summariser needs to know. Keys are kept in memory only.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { percent } from "../../figures.js";
import { browserState, downloaded, setSummarizer, summarizer } from "../../state/summarizer.js";
import type { Availability } from "../../summarizers/browser-model.js";
import type { SummarizerKind } from "../../summarizers/settings.js";

export function SummarizerFields({ kind }: { kind: SummarizerKind }) {
  const { openai, ollama, remote } = summarizer.value;
  switch (kind) {
    case "local":
      return <p class="quiet">Nothing to set. Good for a first look; a model writes better summaries.</p>;
    case "openai":
      return (
        <div class="fields">
          <Text title="Base URL" isAddress value={openai.baseURL} set={(baseURL) => setSummarizer("openai", { baseURL })} />
          <Text title="Model" value={openai.model} set={(model) => setSummarizer("openai", { model })} />
          <Text title="Key" isSecret value={openai.apiKey} set={(apiKey) => setSummarizer("openai", { apiKey })} hint="Kept in memory until the page is closed, and sent to this endpoint alone." />
          <Window value={openai.window} set={(window) => setSummarizer("openai", { window })} />
          <Sent to="this endpoint" />
        </div>
      );
    case "ollama":
      return (
        <div class="fields">
          <Text title="Host" isAddress value={ollama.host} set={(host) => setSummarizer("ollama", { host })} />
          <Text title="Model" value={ollama.model} set={(model) => setSummarizer("ollama", { model })} hint="As “ollama list” names it." />
          <Window value={ollama.window} set={(window) => setSummarizer("ollama", { window })} />
        </div>
      );
    case "browser":
      return <BrowserModel />;
    case "remote":
      return (
        <div class="fields">
          <Text title="Address" isAddress value={remote.endpoint} placeholder="https://summaries.example/v1" set={(endpoint) => setSummarizer("remote", { endpoint })} />
          <Text title="Header, optional" value={remote.headerName} set={(headerName) => setSummarizer("remote", { headerName })} />
          <Text title="Its value" isSecret value={remote.headerValue} set={(headerValue) => setSummarizer("remote", { headerValue })} hint="Kept in memory until the page is closed, and sent to this endpoint alone." />
          <Sent to="this endpoint" />
        </div>
      );
  }
}

interface TextProps {
  title: string;
  value: string;
  set: (value: string) => void;
  /** An address, which telephones have a keyboard for. */
  isAddress?: true;
  isSecret?: true;
  placeholder?: string;
  hint?: string;
}

function Text({ title, value, set, isAddress, isSecret, placeholder = "", hint }: TextProps) {
  const type = isSecret ? { type: "password" as const } : { inputMode: isAddress ? ("url" as const) : ("text" as const) };
  return (
    <Labelled title={title} hint={hint}>
      {(ids) => (
        <input class="field" {...ids} {...type} value={value} placeholder={placeholder} autocomplete="off" spellcheck={false} onInput={({ currentTarget }) => set(currentTarget.value)} />
      )}
    </Labelled>
  );
}

function Window({ value, set }: { value: number; set: (value: number) => void }) {
  return (
    <Labelled title="Its window, in tokens, optional" hint="What does not fit into it is summarised in parts.">
      {(ids) => (
        <input
          class="field figure"
          {...ids}
          type="number"
          min={0}
          step={1}
          value={value === 0 ? "" : value}
          placeholder="not known"
          onInput={({ currentTarget }) => set(Math.max(0, Math.floor(Number(currentTarget.value)) || 0))}
        />
      )}
    </Labelled>
  );
}

interface LabelledProps {
  title: string;
  hint: string | undefined;
  children: (ids: { id: string; "aria-describedby"?: string }) => ComponentChildren;
}

/** A field with its name above and its hint below; the hint is no part of the name. */
function Labelled({ title, hint, children }: LabelledProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="labelled">
      <label for={id}>{title}</label>
      {children({ id, ...(hint === undefined ? {} : { "aria-describedby": hintId }) })}
      {hint !== undefined && (
        <span id={hintId} class="quiet small">
          {hint}
        </span>
      )}
    </div>
  );
}

function Sent({ to }: { to: string }) {
  return <p class="quiet small">With this choice, what is summarised is sent to {to}, and nowhere else.</p>;
}

const AVAILABLE: Record<Availability, string> = {
  available: "It is loaded and ready.",
  downloadable: "It is not loaded yet. “Try it” loads it, which may be several gigabytes; the browser keeps it for every page.",
  downloading: "The browser is loading it.",
  unavailable: "This browser has the interface, but no model for it on this machine: there may be too little space or memory.",
};

function BrowserModel() {
  const { window } = summarizer.value.browser;
  return (
    <div class="fields">
      <p>{AVAILABLE[browserState.value]}</p>
      {downloaded.value !== undefined && (
        <p class="labelled">
          <progress class="run-bar" aria-label="Loading the model" max={1} value={downloaded.value} />
          <span class="quiet small">{percent(downloaded.value, 1)} loaded</span>
        </p>
      )}
      {window > 0 && <p class="quiet small">It reads {window} tokens at a time: long records are summarised in parts.</p>}
    </div>
  );
}
