import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { FieldErrors } from '../../lib/client/check.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { BOUNDS } from '../../lib/contract/rules/bounds.ts';
import { keepProfileDraft, readProfileDraft } from '../../lib/stores/account/profile-draft.ts';
import { call } from '../../lib/stores/api.ts';
import { ask } from '../../lib/stores/ask.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { GENDERS, type Gender } from '../../lib/shared/genders.ts';
import { CharacterCount } from '../ui/form/CharacterCount.tsx';
import { isComposing } from '../ui/form/composition.ts';
import { Radio } from '../ui/form/Choice.tsx';
import { CoverField } from '../ui/form/CoverField.tsx';
import { FormEnd } from '../ui/form/FormEnd.tsx';
import { AreaField, LineField } from '../ui/form/LineField.tsx';
import { useFieldErrors } from '../ui/form/use-field-errors.ts';
import { fieldErrors, useSubmit } from '../ui/form/use-submit.ts';

/** Fields that the owner of a profile edits; `profile_links` has one address per line. */
export interface Profile {
  display_name: string;
  gender: Gender;
  bio: string;
  website: string;
  profile_links: string;
  /** Absent if the site allows no pictures for thanks. */
  thanks?: string;
}

interface Props {
  profile: Profile;
  username: string;
  /** Called with the saved profile, or null if nothing was saved. */
  onEnd(saved: Profile | null): void;
}

/** Fields of `profileChange`, which the server renders into the page. */
const namesOf = ({ display_name, website, profile_links }: Profile) => ({
  display_name,
  website,
  profile_links,
});

/** Whether the fields differ in more than surrounding spaces. */
const differ = <T extends object>(one: T, other: T): boolean =>
  Object.values(one).map(String).join('\0').trim() !== Object.values(other).map(String).join('\0').trim();

/** Saves what has changed. Returns the errors of invalid fields, in which case nothing was saved. */
async function save(before: Profile, after: Profile): Promise<FieldErrors> {
  const [names, { bio }] = [namesOf(after), after];
  const isNamed = isOffered('profileChange') && differ(namesOf(before), names);
  const errors = {
    ...(isNamed && (await fieldErrors('profileChange', names))),
    ...(await fieldErrors('updateBio', { bio })),
  };
  if (Object.keys(errors).length > 0) return errors;
  // First, because it is the one that is refused: names may be taken.
  if (isNamed) await call('profileChange', names as never, { quiet: true });
  if (bio.trim() !== before.bio.trim()) await call('updateBio', { bio }, { quiet: true });
  if (before.thanks !== undefined && after.thanks !== before.thanks)
    await call('thanksChange', { thanks: after.thanks ?? '' }, { quiet: true });
  if (after.gender !== before.gender) await call('updateGender', { gender: after.gender }, { quiet: true });
  return {};
}

/** Edits a profile in place. The typed texts are kept until they are saved or discarded. */
export function ProfileForm({ profile, username, onEnd }: Props) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState<Profile>(() => ({ ...profile, ...readProfileDraft(username) }));
  const { errors, show, showRefusal } = useFieldErrors(id);
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    try {
      if (show(await save(profile, fields))) return;
    } catch (error) {
      return showRefusal(error, fields);
    }
    const saved = { ...fields, bio: fields.bio.trim() };
    showNotice('个人资料已更新');
    onEnd(saved);
    // Heading, title and links of the page are the server's.
    if (differ(namesOf(profile), namesOf(saved))) location.reload();
  });
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:not([type=radio]), textarea')?.focus();
  }, []);

  const set = (change: Partial<Profile>) => {
    const next = { ...fields, ...change };
    setFields(next);
    keepProfileDraft(username, { ...next });
  };
  const cancel = async () => {
    const question = { title: '放弃对资料的修改？', action: '放弃修改', isDestructive: true };
    if (!isBusy && (!differ(profile, fields) || (await ask(question)))) onEnd(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') void cancel();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit(event);
  };
  const frame = (name: keyof Profile) => ({
    id: `${id}-${name}`,
    problem: errors[name] ?? '',
    value: fields[name],
    onKeyDown,
    onChange: (value: string) => set({ [name]: value }),
  });

  return (
    <form
      ref={form}
      aria-label="编辑个人资料"
      method="post"
      noValidate
      className="grid gap-y-3"
      onSubmit={onSubmit}
    >
      {isOffered('profileChange') && (
        <LineField
          {...frame('display_name')}
          label="显示名"
          autoComplete="nickname"
          dir="auto"
          hint={`最多 ${BOUNDS.displayNameGraphemes} 个字，不填就显示用户名。改后十分钟内可以随时更正，再改要等到一小时后。`}
        />
      )}
      {isOffered('updateGender') && <Genders value={fields.gender} onChange={(gender) => set({ gender })} />}
      <div>
        <AreaField {...frame('bio')} label="个人简介" rows={4} dir="auto" placeholder="写几句介绍自己" />
        <p className="mt-1 text-sm text-soft">
          <CharacterCount text={fields.bio} most={BOUNDS.bio[1]} />
        </p>
      </div>
      {isOffered('profileChange') && (
        <>
          <LineField
            {...frame('website')}
            label="个人网站"
            type="url"
            inputMode="url"
            autoComplete="url"
            placeholder="https://"
          />
          <AreaField
            {...frame('profile_links')}
            label="链接"
            rows={3}
            inputMode="url"
            hint={`一行一个网址，最多 ${BOUNDS.profileLinks[1]} 个。`}
          />
        </>
      )}
      {profile.thanks !== undefined && isOffered('thanksChange') && (
        <CoverField
          label="赞赏码"
          hint="微信或支付宝的收款码。读者在你的文章末尾按「赞赏作者」就会看到。"
          cover={fields.thanks ?? ''}
          problem={errors['thanks'] ?? ''}
          frame="block w-full max-w-40 aspect-square rounded"
          fit="object-contain"
          onChange={(thanks) => set({ thanks })}
        />
      )}
      <FormEnd problem={problem} isBusy={isBusy} onEnd={() => void cancel()} />
    </form>
  );
}

function Genders({ value, onChange }: { value: Gender; onChange(gender: Gender): void }) {
  return (
    <fieldset className="m-0 p-0 border-0">
      <legend className="p-0 text-sm text-soft">性别</legend>
      <div className="flex gap-6">
        {(Object.keys(GENDERS) as Gender[]).map((each) => (
          <Radio
            key={each}
            name="gender"
            value={each}
            checked={each === value}
            onChoose={() => onChange(each)}
          >
            {GENDERS[each]}
          </Radio>
        ))}
      </div>
    </fieldset>
  );
}
