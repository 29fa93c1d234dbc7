import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Departure {
  readonly vessel: string;
  readonly at: Date;
  readonly berth?: number;
  status: "planned" | "boarding" | "left";
}

type Listener = (departure: Departure) => void;

const STATUS_ORDER = { planned: 0, boarding: 1, left: 2 } as const;

/** The departures of a day, as the board in the hall shows them. */
export class Board {
  readonly #departures = new Map<string, Departure>();
  readonly #listeners = new Set<Listener>();

  static async fromFile(path: string): Promise<Board> {
    const rows: unknown = JSON.parse(await readFile(path, "utf8"));
    if (!Array.isArray(rows)) throw new TypeError(`${path}: expected an array, found ${typeof rows}`);
    const board = new Board();
    for (const { vessel, at, berth } of rows) {
      board.#departures.set(vessel, { vessel, at: new Date(at), berth, status: "planned" });
    }
    return board;
  }

  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  update(vessel: string, status: Departure["status"]): void {
    const departure = this.#departures.get(vessel);
    if (departure === undefined || STATUS_ORDER[status] < STATUS_ORDER[departure.status]) return;
    departure.status = status;
    this.#listeners.forEach((listener) => listener(departure));
  }

  handle(_request: IncomingMessage, response: ServerResponse): void {
    const body = [...this.#departures.values()].filter(({ status }) => status !== "left");
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body, null, 2));
  }
}
