import { answerRequests } from '../jobs/answer-requests.ts';
import { readFeed, type FeedDocument } from './read-feed.ts';

answerRequests((document: FeedDocument, { started }) => {
  started();
  return readFeed(document);
});
