import type { Services } from '../../services.ts';
import { toInstant } from '../../shared/ids.ts';
import { answerWith, type Handlers } from '../handler.ts';

export const moderationHandlers = ({ words, previews, takedowns, reviews, inspections, changes }: Services) =>
  ({
    wordList: async ({ input }) => {
      const { result, ...list } = await words.list(input);
      return {
        ...list,
        result: result.map(({ id, word, category, action, create_time }) => ({
          _id: id,
          word,
          category,
          action,
          create_time: toInstant(create_time),
        })),
      };
    },
    wordAdd: async ({ input, viewer }) => {
      const added = await words.add(input.words, input, viewer.id);
      return { added, changed: input.words.length - added };
    },
    wordImport: ({ input, viewer }) => words.importFile(input.text, input, viewer.id),
    wordExport: async ({ input }) => ({ text: await words.exportFile(input) }),
    wordTrial: async ({ input }) => ({ text: input.text, found: await words.find(input.text) }),
    wordPreview: ({ input }) => previews.preview(input.text, input),
    wordRemove: async ({ input, viewer }) => ({ removed: await words.remove(input.ids, viewer.id) }),
    heldList: ({ input }) => takedowns.listHeld(input),
    changeDecide: ({ input, viewer }) => changes.decide(input, viewer.id),
    staffRead: ({ input, viewer }) => inspections.inspect(input.kind, input.id, viewer),
    articleReview: ({ input, viewer }) => reviews.ofAuthor(input.id, viewer),
    articleResubmit: answerWith('已重新提交，等待审核', ({ input, viewer }) =>
      reviews.resubmit(input.id, viewer),
    ),
    articleModerate: ({ input, viewer }) => takedowns.decideRead('article', input, viewer.id),
    commentModerate: ({ input, viewer }) => takedowns.decideRead('comment', input, viewer.id),
  }) satisfies Partial<Handlers>;
