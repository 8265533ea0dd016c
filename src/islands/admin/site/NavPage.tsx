import type { IdentityAnswer } from '../../../lib/contract/calls/site-calls.ts';
import { builtInName } from '../../../lib/contract/rules/navigation.ts';
import { SITE_BOUNDS } from '../../../lib/contract/rules/site-rules.ts';
import { call } from '../../../lib/stores/api.ts';
import { fieldErrors } from '../../ui/form/use-submit.ts';
import { consoleAnswer } from '../console-answer.tsx';
import { fixedIn } from './fixed.ts';
import { OptionsForm } from './OptionsForm.tsx';
import { NavigationField } from './NavigationField.tsx';

const valuesOf = ({ navigation }: IdentityAnswer) => ({ navigation });

/** A built-in entry without a text gets its own name back. JSON, because a form has no empty lists. */
const fieldsOf = ({ navigation = [] }: Partial<ReturnType<typeof valuesOf>>) => ({
  navigation: JSON.stringify(
    navigation.map((entry) => ({ ...entry, text: entry.text.trim() || (builtInName(entry.href) ?? '') })),
  ),
});

/** Navigation of header and footer. */
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
        const frame = fixedIn<'navigation'>(identity.fixed, frameOf);
        return (
          <NavigationField
            {...frame('navigation', `每项最多 ${SITE_BOUNDS.entry[1]} 个字。手机上，页眉的各项在菜单里。`)}
            value={values.navigation}
            onChange={(navigation) => set({ navigation })}
          />
        );
      }}
    </OptionsForm>
  ),
);
