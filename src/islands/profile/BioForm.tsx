import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { isOffered } from '../../lib/client/offered.ts';
import { BOUNDS } from '../../lib/contract/rules/bounds.ts';
import { ask } from '../../lib/stores/ask.ts';
import { keepBioDraft, readBioDraft } from '../../lib/stores/account/bio.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { GENDERS, type Gender } from '../../lib/shared/genders.ts';
import { CharacterCount } from '../ui/form/CharacterCount.tsx';
import { isComposing } from '../ui/form/composition.ts';
import { Radio } from '../ui/form/Choice.tsx';
import { SubmitButton } from '../ui/form/FormEnd.tsx';
import { fieldErrors, useSubmit } from '../ui/form/use-submit.ts';
import { QuietButton } from '../ui/Button.tsx';

export interface Profile {
  bio: string;
  gender: Gender;
}

interface Props {
  profile: Profile;
  username: string;
  /** Called with the saved profile, or null if nothing was saved. */
  onEnd(saved: Profile | null): void;
}

/** Edits gender and bio in place. The typed text is kept until it is saved or discarded. */
export function BioForm({ profile, username, onEnd }: Props) {
  const { bio } = profile;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => readBioDraft(username) ?? bio);
  const [gender, setGender] = useState(profile.gender);
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    const { bio: error } = await fieldErrors('updateBio', { bio: text });
    if (error !== undefined) return error;
    await call('updateBio', { bio: text }, { quiet: true });
    if (gender !== profile.gender) await call('updateGender', { gender }, { quiet: true });
    showNotice('个人资料已更新');
    onEnd({ bio: text.trim(), gender });
    return '';
  });
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(-1, -1);
  }, []);

  const type = (typed: string) => {
    setText(typed);
    keepBioDraft(username, typed);
  };
  const cancel = async () => {
    const isChanged = text.trim() !== bio.trim() || gender !== profile.gender;
    const question = { title: '放弃对资料的修改？', action: '放弃修改', isDestructive: true };
    if (!isBusy && (!isChanged || (await ask(question)))) onEnd(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') void cancel();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit(event);
  };

  return (
    <form aria-label="编辑个人资料" method="post" onSubmit={onSubmit}>
      {isOffered('updateGender') && <Genders value={gender} onChange={setGender} />}
      <label htmlFor={id} className="sr-only">
        个人简介
      </label>
      <textarea
        ref={area}
        id={id}
        rows={4}
        dir="auto"
        value={text}
        placeholder="写几句介绍自己"
        className="field block resize-y"
        aria-describedby={`${id}-says`}
        aria-invalid={problem !== ''}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-says`} className="mt-1 flex flex-wrap gap-x-4 text-sm text-soft">
        <CharacterCount text={text} most={BOUNDS.bio[1]} />
        <span className="flex-1 text-vermilion" role="alert">
          {problem}
        </span>
      </div>
      <div className="mt-2 flex gap-3">
        <SubmitButton action="保存" busy="正在保存…" isBusy={isBusy} />
        <QuietButton onClick={() => void cancel()}>取消</QuietButton>
      </div>
    </form>
  );
}

function Genders({ value, onChange }: { value: Gender; onChange(gender: Gender): void }) {
  return (
    <fieldset className="m-0 mb-2 p-0 border-0">
      <legend className="sr-only">性别</legend>
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
