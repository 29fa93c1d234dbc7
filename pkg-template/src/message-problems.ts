/** What a provider would refuse an array of messages for. */
export type ProblemRule =
  | "result-without-call"
  | "call-without-result"
  | "misplaced-result"
  | "repeated-result"
  | "wrong-order"
  | "wrong-role"
  | "empty-message"
  | "duplicate-id"
  | "reasoning-without-partner"
  | "approval-without-request"
  | "malformed";

/** What is wrong at one place of an array of messages. */
export interface Problem {
  /** The rule that is broken. */
  rule: ProblemRule;
  /** The message. */
  index: number;
  /** The part of it, where it is about one. */
  part?: number;
  /** The id of the call or of the message, where it is about one. */
  id?: string;
  /** The call is in the last turn, and its result may still come. */
  pending?: true;
  /** The same as a sentence. */
  message: string;
}

/** What was done about a problem, whose place is in the array as it came in. */
export interface MessageRepair extends Omit<Problem, "pending"> {
  /** Something was left out, put elsewhere, added, or says something else now. */
  action: "dropped" | "moved" | "added" | "changed";
}
