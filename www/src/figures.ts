// Figures as people read them: whole with separators, or short.

const whole = new Intl.NumberFormat("en-US");

/** `184,728` */
export function figure(value: number): string {
  return whole.format(Math.round(value));
}

/** Three figures at most: `840`, `9.6k`, `154k`, `1.2M`. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size < 1_000) return String(Math.round(value));
  if (size < 999_500) return scaled(value, 1_000, "k");
  return scaled(value, 1_000_000, "M");
}

function scaled(value: number, unit: number, name: string): string {
  const units = value / unit;
  return `${Math.abs(units) < 9.95 ? trimmed(units) : String(Math.round(units))}${name}`;
}

function trimmed(units: number): string {
  return units.toFixed(1).replace(/\.0$/, "");
}

/** `960 bytes`, `941 kB`, `50.3 MB` */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1 entry`, `646 entries` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

/** Part of a whole in percent, without decimals: `92%`. */
export function percent(part: number, of: number): string {
  return `${of > 0 ? Math.round((100 * part) / of) : 0}%`;
}

const clock = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** `17 Mar 2026, 07:52:00`, by the clock of this machine; nothing for what is no time. */
export function moment(time: number): string {
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? clock.format(time) : "";
}
