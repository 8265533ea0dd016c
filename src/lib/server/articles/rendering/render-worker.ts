import {
  isTooComplex,
  prepareMarkdown,
  type Rendered,
  renderMarkdown,
  sentenceOf,
} from '../../../markdown/render.ts';
import { answerRequests, lowerPriority } from '../../jobs/answer-requests.ts';

export interface RenderRequest {
  source: string;
}

/** `text` names the exceeded limit. */
export type RenderReply = { rendered: Rendered } | { refused: { text?: string } };

lowerPriority();

answerRequests(async ({ source }: RenderRequest, { started }): Promise<RenderReply> => {
  try {
    await prepareMarkdown(source);
    started();
    return { rendered: await renderMarkdown(source) };
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    const text = sentenceOf(error);
    return { refused: text === undefined ? {} : { text } };
  }
});
