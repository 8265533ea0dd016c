import { Problem } from '../../../markdown-file/problem.ts';
import { answerRequests, lowerPriority } from '../../jobs/answer-requests.ts';
import { readEmbedded, type Embedded } from './embedded-text.ts';

export interface EmbeddedRequest {
  content: string;
}

/** `found` is null for a text that is too long, `isTooComplex` for one that nests too deeply. */
export type EmbeddedReply = { found: Embedded[] | null } | { isTooComplex: true };

lowerPriority();

answerRequests(
  ({ content }: EmbeddedRequest, { started }): EmbeddedReply => {
    started();
    try {
      return { found: readEmbedded(content) };
    } catch (error) {
      if (error instanceof Problem) return { isTooComplex: true };
      throw error;
    }
  },
  (reply) =>
    'found' in reply
      ? (reply.found ?? []).flatMap(({ picture }) => ('bytes' in picture ? [picture.bytes.buffer] : []))
      : [],
);
