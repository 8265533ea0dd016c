import type { IdentityAnswer } from '../../../lib/contract/calls/site-calls.ts';
import { SITE_BOUNDS } from '../../../lib/contract/rules/site-rules.ts';
import { call } from '../../../lib/stores/api.ts';
import { fieldErrors } from '../../ui/form/use-submit.ts';
import { consoleAnswer } from '../console-answer.tsx';
import { fixedIn } from './fixed.ts';
import { OptionsForm } from './OptionsForm.tsx';
import { LinksField, NavField } from './SiteLists.tsx';

const valuesOf = ({ nav, links }: IdentityAnswer) => ({ nav, links });

/** The lists of a form cannot be empty, so they are sent as JSON. */
const fieldsOf = (changes: Partial<ReturnType<typeof valuesOf>>) =>
  Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, JSON.stringify(value)]));

/** Navigation of the header, and its other links. */
export default consoleAnswer(
  () => call('siteIdentity', {}, { quiet: true }),
  (identity) => (
    <OptionsForm
      label="导航"
      stored={valuesOf(identity)}
      check={(changes) => fieldErrors('siteIdentityChange', fieldsOf(changes))}
      save={async (changes) => valuesOf(await call('siteIdentityChange', fieldsOf(changes), { quiet: true }))}
      isShownByPage
    >
      {({ values, set, frame: frameOf }) => {
        const frame = fixedIn<'nav' | 'links'>(identity.fixed, frameOf);
        return (
          <>
            <NavField
              {...frame('nav', `名称最多 ${SITE_BOUNDS.label[1]} 个字。`)}
              value={values.nav}
              onChange={(nav) => set({ nav })}
            />
            <LinksField
              {...frame('links', `最多 ${SITE_BOUNDS.links} 个。`)}
              value={values.links}
              onChange={(links) => set({ links })}
            />
          </>
        );
      }}
    </OptionsForm>
  ),
);
