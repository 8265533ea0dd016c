import { useStore } from '@nanostores/react';
import type { Draft, DraftFields, Version } from '../../lib/stores/draft.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Time } from '../ui/Time.tsx';
import { useOnce } from '../ui/use-once.ts';
import { FieldFacts } from './FieldFacts.tsx';
import { mergeVersions, ownLines } from './merge.ts';

interface Props {
  draft: Draft;
  isOpen: boolean;
  onClose(): void;
}

/** Two versions side by side, and the writer's choice. Closed without one, both are kept. */
export function ConflictDialog({ draft, isOpen, onClose }: Props) {
  const conflict = useStore(draft.$conflict);
  const [isBusy, once] = useOnce();
  if (!conflict) return null;
  const { mine, theirs } = conflict;
  // What went wrong is told by the call itself; the question is still there.
  const choose = (choice: 'mine' | 'theirs' | DraftFields) =>
    once(() => draft.resolve(choice).then(onClose, () => undefined));
  return (
    <Dialog title="这篇文章在别处也改过" isOpen={isOpen} onClose={onClose} size="wide">
      <p className="mt-2 text-sm text-soft">
        两份都还在。选一份留下，或者合在一起自己挑；有底色的是另一份里没有的行。
      </p>
      <div className="mt-4 grid gap-6 md:grid-cols-2">
        <VersionView name="我的" version={mine} other={theirs}>
          <button type="button" className="button" disabled={isBusy} onClick={() => void choose('mine')}>
            用我的
          </button>
        </VersionView>
        <VersionView name="对方的" version={theirs} other={mine}>
          <button type="button" className="button" disabled={isBusy} onClick={() => void choose('theirs')}>
            用对方的
          </button>
        </VersionView>
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <button type="button" className="button-quiet" onClick={onClose}>
          先不选
        </button>
        <button
          type="button"
          className="button-quiet"
          disabled={isBusy}
          onClick={() => void choose(mergeVersions(mine.fields, theirs.fields))}
        >
          合在一起，我来挑
        </button>
      </div>
    </Dialog>
  );
}

interface ViewProps {
  name: string;
  version: Version;
  other: Version;
  children: React.ReactNode;
}

function VersionView({ name, version: { fields, time }, other, children }: ViewProps) {
  const facts = [fields.tags.join('、') || '没有标签', ...(fields.secret ? ['私密'] : [])].join(' · ');
  return (
    <section aria-label={name} className="min-w-0 flex flex-col">
      <h3 className="text-base font-600">
        {name}
        <span className="ml-3 text-sm text-soft font-400">
          <Time iso={time} />
        </span>
      </h3>
      <section
        className="max-h-[50vh] mt-2 p-4 overflow-y-auto border border-solid border-line rounded text-[0.875rem] leading-[1.7] whitespace-pre-wrap"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
        tabIndex={0}
        aria-label={`${name}内容`}
      >
        <p className="font-700 text-lg leading-snug">
          <bdi>{fields.title || '无标题'}</bdi>
        </p>
        <p className="mt-1 text-sm text-soft" dir="auto">
          {facts}
        </p>
        <FieldFacts fields={fields} other={other.fields} />
        <div className="mt-3" dir="auto">
          {ownLines(fields.content, other.fields.content).map(({ text, isOwn }, index) => (
            <div key={index} className={isOwn ? 'version-own' : undefined}>
              {text === '' ? <br /> : text}
            </div>
          ))}
        </div>
      </section>
      <div className="mt-3">{children}</div>
    </section>
  );
}
