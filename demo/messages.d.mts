import type { Entry, ImageBlock, Message } from "threadfold";

export function roleName(message: unknown): string;
export function images(message: Message): ImageBlock[];
export function withoutImages(message: Message): Message;
export function snippet(message: Message): string;
export function spoken(message: Message): string;
export function messageOf(entry: Entry): Message | undefined;
