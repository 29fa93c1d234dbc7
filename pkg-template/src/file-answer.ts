/** Whether a source is the response to a request. */
export function isResponse(input: unknown): input is Response {
  return typeof Response === "function" && input instanceof Response;
}

/** Refuses a response that does not carry a file. A development server that has lost one answers with its start page and status 200. */
export function refuseBadAnswer(response: Response): void {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok) throw new TypeError(`HTTP status ${response.status} for ${response.url}`);
  if (type.startsWith("text/html")) throw new TypeError(`an HTML page instead of the file at ${response.url}`);
}
