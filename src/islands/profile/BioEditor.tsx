import { useEffect, useRef, useState } from 'react';
import { keepBioDraft, readBioDraft } from '../../lib/stores/account/bio.ts';
import { island } from '../ui/island.tsx';
import { BioForm } from './BioForm.tsx';
import { useIsOwner } from './use-is-owner.ts';

export default island(function BioEditor({ username, bio: printed }: { username: string; bio: string }) {
  const isOwner = useIsOwner(username);
  const [bio, setBio] = useState(printed);
  const [isEditing, setIsEditing] = useState(() => readBioDraft(username) !== null);
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const end = (saved: string | null) => {
    keepBioDraft(username, null);
    if (saved !== null) setBio(saved);
    setIsEditing(false);
  };
  if (isOwner && isEditing) return <BioForm bio={bio} username={username} onEnd={end} />;
  return (
    <>
      {bio !== '' && (
        <p className="whitespace-pre-line" dir="auto">
          {bio}
        </p>
      )}
      {isOwner && (
        <button
          ref={button}
          type="button"
          className="button-text ml--1 text-sm"
          onClick={() => setIsEditing(true)}
        >
          {bio === '' ? '写几句介绍自己' : '编辑简介'}
        </button>
      )}
    </>
  );
});
