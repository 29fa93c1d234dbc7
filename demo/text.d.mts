export function harmless(text: unknown): string;
export function oneLine(text: unknown, limit?: number): string;
export function grouped(number: number): string;
export function count(number: number, one: string, many?: string): string;
export function size(bytes: number): string;
