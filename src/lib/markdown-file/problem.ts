/** Why one file cannot be imported; the message is a Chinese sentence for the operator. */
export class Problem extends Error {
  override name = 'Problem';
}
