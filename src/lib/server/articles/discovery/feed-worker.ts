import { feedHtml } from '../../../markdown/feed-html.ts';
import { answerRequests } from '../../jobs/answer-requests.ts';

export interface FeedText {
  html: Uint8Array;
  /** Absolute URL of the article. */
  address: string;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

answerRequests(({ html, address }: FeedText, { started }) => {
  started();
  return feedHtml(utf8.decode(html), address);
});
