import type { SiteOptions } from '../../../lib/contract/site-options.ts';
import { CHANGE_POLICY_NAMES, HOLD_POLICY_NAMES } from '../../../lib/contract/rules/site-rules.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { numberOptions, optionsPage } from './options-page.tsx';

const COUNTS = [1, 2, 3, 5, 10, 20];

const valuesOf = ({ holdComments, holdArticles, holdChanges, approvedFirst }: SiteOptions) => ({
  holdComments,
  holdArticles,
  holdChanges,
  approvedFirst,
});

/** Which new texts and changes wait for approval. */
export default optionsPage('审核', valuesOf, ({ values, set, frame }) => (
  <>
    <Choice
      {...frame('holdComments')}
      label="评论怎样审核"
      value={values.holdComments}
      options={HOLD_POLICY_NAMES}
      onChange={(holdComments) => set({ holdComments })}
    />
    <Choice
      {...frame('holdArticles')}
      label="文章怎样审核"
      value={values.holdArticles}
      options={HOLD_POLICY_NAMES}
      onChange={(holdArticles) => set({ holdArticles })}
    />
    <Choice
      {...frame('holdChanges')}
      label="先审后发的内容，通过后再改"
      value={values.holdChanges}
      options={CHANGE_POLICY_NAMES}
      onChange={(holdChanges) => set({ holdChanges })}
    />
    <Choice
      {...frame('approvedFirst')}
      label="通过几条后不再是新作者"
      value={String(values.approvedFirst)}
      options={numberOptions(COUNTS, values.approvedFirst, (count) => `${count} 条`)}
      onChange={(count) => set({ approvedFirst: Number(count) })}
    />
  </>
));
