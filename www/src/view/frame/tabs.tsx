// A list of tabs: the arrow keys move and open, as everywhere.

export interface TabName {
  id: string;
  title: string;
}

interface Props {
  label: string;
  names: readonly TabName[];
  chosen: string;
  choose: (id: string) => void;
  /** The start of the ids of tabs and of what they open. */
  scope: string;
  className: string;
}

/** The ids that tie a tab and its panel together. */
export const tabId = (scope: string, id: string): string => `${scope}-tab-${id}`;
export const panelId = (scope: string, id: string): string => `${scope}-panel-${id}`;

export function Tabs({ label, names, chosen, choose, scope, className }: Props) {
  function move(event: KeyboardEvent): void {
    const target = targetOf(event.key, names.findIndex(({ id }) => id === chosen), names.length);
    const name = target === undefined ? undefined : names[target];
    if (name === undefined) return;
    event.preventDefault();
    choose(name.id);
    document.getElementById(tabId(scope, name.id))?.focus();
  }
  return (
    <div role="tablist" aria-label={label} class={className} onKeyDown={move}>
      {names.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          class="tab"
          id={tabId(scope, id)}
          aria-selected={id === chosen}
          aria-controls={id === chosen ? panelId(scope, id) : undefined}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => choose(id)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

function targetOf(key: string, now: number, count: number): number | undefined {
  if (key === "ArrowRight" || key === "ArrowDown") return (now + 1) % count;
  if (key === "ArrowLeft" || key === "ArrowUp") return (now + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
