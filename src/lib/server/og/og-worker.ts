import { answerRequests, lowerPriority } from '../jobs/answer-requests.ts';
import { openPictures } from './picture.ts';

lowerPriority();
answerRequests(await openPictures());
