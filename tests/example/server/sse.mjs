// Writing server-sent events.

/** A text in pieces, as a model gives it. */
export function pieces(text, size = 40) {
  const found = [];
  for (let start = 0; start < text.length; start += size) found.push(text.slice(start, start + size));
  return found;
}

/** Sends the events, each a whole record. With a fault the stream goes wrong half way. */
export async function sendEvents(response, events, fault) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const good = fault === undefined ? events : events.slice(0, Math.ceil(events.length / 2));
  for (const event of good) response.write(event);
  if (fault === undefined) return response.end();
  if (fault === "malformed") {
    // What a proxy in between makes of it: half a record, and then a proper end.
    return response.end(events[good.length].replace(/^(data: .{8}).*$/m, "$1"));
  }
  // The client has to have seen the beginning before the line goes dead.
  await new Promise((resolve) => setTimeout(resolve, 5));
  return response.destroy();
}

/** Sends JSON, cut off in the middle where there is a fault. */
export async function sendJson(response, status, value, { headers = {}, fault } = {}) {
  const text = JSON.stringify(value);
  response.writeHead(status, { "content-type": "application/json", ...(fault === "drop" ? { "content-length": text.length } : {}), ...headers });
  if (fault === undefined) return response.end(text);
  response.write(text.slice(0, text.length / 2));
  return fault === "drop" ? response.destroy() : response.end();
}
