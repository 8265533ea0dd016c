import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { formatMoment } from '../../../lib/shared/time.ts';
import type { DraftFields, OtherVersion, Version } from '../../../lib/stores/draft/draft-types.ts';
import { ConflictPiece, SamePart } from './ConflictPiece.tsx';
import { compareVersions, mergedFields, mergedText, type Choice, type Comparison } from './pieces.ts';
import { MainButton, QuietButton } from '../../ui/Button.tsx';

interface Props {
  mine: Version;
  theirs: OtherVersion;
  isBusy: boolean;
  choices: readonly (Choice | undefined)[];
  onChoices(choices: readonly (Choice | undefined)[]): void;
  onResolve(choice: 'mine' | 'theirs' | DraftFields): void;
  onClose(): void;
}

export default function Conflict(props: Props) {
  const { mine, theirs, isBusy, choices, onChoices, onResolve, onClose } = props;
  const list = useRef<HTMLDivElement>(null);
  const comparison = useMemo(() => compareVersions(mine.fields, theirs.fields), [mine.fields, theirs.fields]);
  const { pieces } = comparison;
  const open = pieces.flatMap((_, at) => (choices[at] ? [] : [at]));
  const other = theirs.isOfThisBrowser ? '另一个窗口' : theirs.savedBy || '另一台设备';

  const goTo = (at: number, block: ScrollLogicalPosition = 'start') => {
    const piece = list.current?.querySelector<HTMLElement>(`[data-piece="${at}"]`);
    piece?.scrollIntoView({ block });
    piece?.focus({ preventScroll: true });
  };
  // Starts at the first difference, with focus as well as scroll position.
  const begin = useEffectEvent(() => goTo(0, 'nearest'));
  useEffect(() => begin(), []);

  const choose = (at: number, choice: Choice) =>
    onChoices(pieces.map((_, index) => (index === at ? choice : choices[index])));
  const keep = () => {
    const [next] = open;
    if (next !== undefined) return goTo(next);
    onResolve(mergedFields(mine.fields, comparison, choices as readonly Choice[]));
  };
  const names = { mine: '我的', theirs: other };
  const pieceProps = (at: number) => ({
    number: at,
    count: pieces.length,
    names,
    choice: choices[at],
    onChoose: (choice: Choice) => choose(at, choice),
  });
  return (
    <>
      <p className="mt-2 text-sm text-soft">
        {other}
        {theirs.isOfThisBrowser ? '（这个浏览器里的）' : ''}在{' '}
        <time dateTime={theirs.time}>{formatMoment(theirs.time)}</time>{' '}
        保存了另一份：可能改过，也可能恢复了别的历史版本。两份都还在，可以一处一处选，也可以整份留下一份；没用上的不会丢。
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <QuietButton disabled={isBusy} onClick={() => onResolve('mine')}>
          全用我的
        </QuietButton>
        <QuietButton disabled={isBusy} onClick={() => onResolve('theirs')}>
          全用对方的
        </QuietButton>
      </div>
      <div ref={list} className="mt-4 text-[0.875rem] leading-[1.7] [overflow-wrap:anywhere]">
        {comparison.settings.map((setting, index) => (
          <ConflictPiece key={setting.name} piece={setting} {...pieceProps(index)} />
        ))}
        {comparison.text.map((place, index) =>
          place.kind === 'same' ? (
            <SamePart
              key={index}
              text={place.text}
              isFirst={index === 0}
              isLast={index === comparison.text.length - 1}
            />
          ) : (
            <ConflictPiece key={index} piece={place} {...pieceProps(pieces.indexOf(place))} />
          ),
        )}
      </div>
      <Result comparison={comparison} choices={choices} />
      <div className="sticky bottom--6 mx--6 mt-4 px-6 py-3 hairline bg-raised flex flex-wrap items-center justify-end gap-3">
        <output className="basis-full sm:basis-auto mr-auto text-sm">
          {open.length > 0 ? `还有 ${open.length} 处没有选` : '都选好了'}
        </output>
        <QuietButton onClick={onClose}>先不选</QuietButton>
        <MainButton disabled={isBusy} onClick={keep}>
          {open.length > 0 ? '去选下一处' : '留下合并的这份'}
        </MainButton>
      </div>
    </>
  );
}

function Result({ comparison, choices }: { comparison: Comparison } & Pick<Props, 'choices'>) {
  const text = mergedText(comparison, choices, (piece) => `〔第 ${piece + 1} 处还没有选〕`);
  return (
    <details className="mt-2">
      <summary className="min-h-11 flex items-center text-sm text-indigo cursor-pointer">
        看看合并后的正文
      </summary>
      <section
        className="max-h-[50vh] p-4 overflow-y-auto border border-solid border-line rounded text-[0.875rem] leading-[1.7] whitespace-pre-wrap [overflow-wrap:anywhere]"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
        tabIndex={0}
        aria-label="合并后的正文"
        dir="auto"
      >
        {text || '没有正文'}
      </section>
    </details>
  );
}
