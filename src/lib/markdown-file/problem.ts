/** Reason why a file cannot be imported; the message is a Chinese sentence. */
export class Problem extends Error {
  override name = 'Problem';
}
