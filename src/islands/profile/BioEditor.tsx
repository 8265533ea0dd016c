import { useEffect, useRef, useState } from 'react';
import { keepBioDraft, readBioDraft } from '../../lib/stores/account/bio.ts';
import { shownGender } from '../../lib/shared/genders.ts';
import { island } from '../ui/island.tsx';
import { BioForm, type Profile } from './BioForm.tsx';
import { useIsOwner } from './use-is-owner.ts';
import { TextButton } from '../ui/Button.tsx';

/** Gender and bio of a profile, which its owner edits in place. */
export default island(function BioEditor({ username, bio, gender }: Profile & { username: string }) {
  const isOwner = useIsOwner(username);
  const [profile, setProfile] = useState<Profile>({ bio, gender });
  const [isEditing, setIsEditing] = useState(() => readBioDraft(username) !== null);
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const end = (saved: Profile | null) => {
    keepBioDraft(username, null);
    if (saved) setProfile(saved);
    setIsEditing(false);
  };
  if (isOwner && isEditing) return <BioForm profile={profile} username={username} onEnd={end} />;
  const word = shownGender(profile.gender);
  return (
    <>
      {word !== '' && <p className="meta">{word}</p>}
      {profile.bio !== '' && (
        <p className="whitespace-pre-line" dir="auto">
          {profile.bio}
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
