import { useEffect, useRef, useState } from 'react';
import { keepProfileDraft, readProfileDraft } from '../../lib/stores/account/profile-draft.ts';
import { shownGender } from '../../lib/shared/genders.ts';
import { TextButton } from '../ui/Button.tsx';
import { island } from '../ui/island.tsx';
import { ProfileForm, type Profile } from './ProfileForm.tsx';
import { useIsOwner } from './use-is-owner.ts';

/** Gender and bio of a profile, and the form in which its owner edits all of it. */
export default island(function BioEditor({ username, profile }: { username: string; profile: Profile }) {
  const isOwner = useIsOwner(username);
  const [shown, setShown] = useState(profile);
  const [isEditing, setIsEditing] = useState(() => readProfileDraft(username) !== null);
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const end = (saved: Profile | null) => {
    keepProfileDraft(username, null);
    if (saved) setShown(saved);
    setIsEditing(false);
  };
  if (isOwner && isEditing) return <ProfileForm profile={shown} username={username} onEnd={end} />;
  const gender = shownGender(shown.gender);
  return (
    <>
      {gender !== '' && <p className="meta">{gender}</p>}
      {shown.bio !== '' && (
        <p className="whitespace-pre-line" dir="auto">
          {shown.bio}
        </p>
      )}
      {isOwner && (
        <TextButton ref={button} className="ml--1 text-sm" onClick={() => setIsEditing(true)}>
          编辑资料
        </TextButton>
      )}
    </>
  );
});
