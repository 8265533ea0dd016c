import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { IdentityAnswer, Looks } from '../../../lib/contract/calls/site-calls.ts';
import { explain } from '../../../lib/client/call-error.ts';
import type { LookRules } from '../../../lib/client/look-rules.ts';
import {
  DEFAULT_LOOK,
  lookFaults,
  MAX_LOOK_NAME,
  type Look,
  type Theme,
} from '../../../lib/contract/rules/looks.ts';
import { call } from '../../../lib/stores/api.ts';
import { leaveNotice } from '../../../lib/stores/left-notice.ts';
import { saveFile } from '../../../lib/stores/save-file.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Action } from '../../ui/Action.tsx';
import { MainButton, QuietButton, TextButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Radio } from '../../ui/form/Choice.tsx';
import { FileInput } from '../../ui/form/FileInput.tsx';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { NOT_SAVED, useSubmit } from '../../ui/form/use-submit.ts';
import { useOnce } from '../../ui/use-once.ts';
import { LookFields } from './LookFields.tsx';
import { Preview } from './Preview.tsx';
import { Swatches } from '../../ui/form/Swatches.tsx';
import { useDraft } from './use-draft.ts';

const quiet = { quiet: true };
/** From this width on, form and preview are two columns. */
const WIDE = '(min-width: 1024px)';
const hasRoom = () => matchMedia(WIDE).matches;
function watchWidth(changed: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

const isSame = (one: Look, other: Look) => JSON.stringify(one) === JSON.stringify(other);

interface Props {
  looks: Looks;
  identity: IdentityAnswer;
  rules: LookRules;
  pages: Readonly<Record<string, string>>;
  onUsed(identity: IdentityAnswer): void;
}

/** Chooses a look, changes it, and uses it for the site or keeps it under a name. */
export function LookEditor({ identity, rules, pages, onUsed, ...first }: Props) {
  const [looks, setLooks] = useState(first.looks);
  const [isOver, setIsOver] = useState(false);
  const [isPreviewing, setIsPreviewing] = useState(false);
  const [doomed, setDoomed] = useState<string | null>(null);
  const isWide = useSyncExternalStore(watchWidth, hasRoom, hasRoom);
  const { look, canUndo, choose, change, undo } = useDraft(identity.look);
  const faults = lookFaults(look);
  const { look: fixed } = identity.fixed;
  const isKept = [identity.look, ...looks.shipped, ...looks.saved].some((each) => isSame(each, look));
  useEffect(() => {
    if (isKept) return undefined;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', stay);
    return () => removeEventListener('beforeunload', stay);
  }, [isKept]);
  // After the effect above has ended.
  useEffect(() => {
    if (isOver) location.reload();
  }, [isOver]);

  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    if (faults.length > 0) return '颜色看不清，还不能用';
    const { version } = identity;
    onUsed(await call('siteIdentityChange', { look: JSON.stringify(look), version }, quiet));
    leaveNotice('外观已经换好');
    return setIsOver(true);
  });
  const { name: _, ...parts } = rules.parts;
  const partsOf = (isGroup: boolean) =>
    Object.fromEntries(
      Object.entries(parts).filter(([, { properties }]) => (properties !== undefined) === isGroup),
    );
  const fields = {
    values: look,
    faults,
    onChange: change,
  };
  const preview = <Preview look={accented(look, identity)} pages={pages} />;
  return (
    <div className="lg:grid lg:grid-cols-[24rem_minmax(0,1fr)] gap-x-10">
      {isWide && (
        <section aria-label="预览" className="order-2 self-start sticky top-[--header] min-w-0 py-3">
          {preview}
        </section>
      )}
      {!isWide && isPreviewing && (
        <Dialog title="预览" isOpen onClose={() => setIsPreviewing(false)} size="wide" place="top">
          {preview}
          <QuietButton className="mt-4" onClick={() => setIsPreviewing(false)}>
            接着改
          </QuietButton>
        </Dialog>
      )}
      {doomed !== null && (
        <FormDialog
          title="删除外观"
          action="删除"
          onClose={() => setDoomed(null)}
          onGiven={async () => {
            setLooks(await call('lookDelete', { name: doomed }, quiet));
            setDoomed(null);
            showNotice(`已删除「${doomed}」`);
          }}
        >
          <p className="mb-4">
            删除「<bdi>{doomed}</bdi>」？网站正在用的外观不受影响。
          </p>
        </FormDialog>
      )}
      <form aria-label="外观" method="post" noValidate className="grid gap-y-6 min-w-0">
        <Starts {...{ looks, look, used: identity.look, choose }} onDelete={setDoomed} />
        <fieldset className="grid gap-y-4 min-w-0 m-0 p-0 border-0">
          <legend className="section-title p-0 mb-2">排版</legend>
          <LookFields parts={partsOf(false)} {...fields} />
        </fieldset>
        <LookFields parts={partsOf(true)} {...fields} />
        <Keep {...{ look, rules, isFaulty: faults.length > 0, change, choose, setLooks }} />
        <div className="sticky bottom-0 py-3 hairline bg-paper">
          <p role="alert" className="field-error empty:hidden">
            {problem}
          </p>
          <div className="flex flex-wrap gap-3">
            {fixed === undefined && (
              // No submit button, so that Enter in a field changes nothing on the site.
              <MainButton aria-disabled={isBusy || isOver} onClick={onSubmit}>
                {isBusy || isOver ? '正在保存…' : '用到网站'}
              </MainButton>
            )}
            {!isWide && <QuietButton onClick={() => setIsPreviewing(true)}>看看效果</QuietButton>}
            {canUndo && <QuietButton onClick={undo}>撤销改动</QuietButton>}
          </div>
          <output className="block mt-1 text-sm text-soft empty:hidden">
            {fixed !== undefined && `网站用的外观由 ${fixed} 设定，要在那里修改。`}
            {faults.length > 0 && `有 ${faults.length} 处颜色看不清，改好才能用和保存。`}
            {faults.length === 0 && !isKept && '有还没保存的修改。'}
          </output>
        </div>
      </form>
    </div>
  );
}

/** The site's accent colour, whose sheet the previewed page links, replaces two colours of the look. */
function accented(look: Look, { accent }: IdentityAnswer): Look {
  if (accent === '') return look;
  const without = (theme: Theme) => {
    const { indigo, wash } = DEFAULT_LOOK.colours[theme];
    return { ...look.colours[theme], indigo, wash };
  };
  return { ...look, colours: { light: without('light'), dark: without('dark') } };
}

interface StartsProps {
  looks: Looks;
  look: Look;
  used: Look;
  choose(look: Look): void;
  onDelete(name: string): void;
}

/** Looks to start from: the shipped ones, the saved ones, and the one in use if it is not among them. */
function Starts({ looks: { shipped, saved }, look, used, choose, onDelete }: StartsProps) {
  const group = useId();
  const known = [...shipped, ...saved];
  const all = known.some((each) => isSame(each, used)) ? known : [used, ...known];
  const current = all.find((each) => isSame(each, look)) ?? all.find(({ name }) => name === look.name);
  return (
    <fieldset className="m-0 p-0 border-0 min-w-0">
      <legend className="section-title p-0 mb-2">从哪一个开始</legend>
      {all.map((each) => (
        <div key={`${known.indexOf(each)} ${each.name}`} className="flex items-center justify-between gap-3">
          <Radio name={group} value={each.name} checked={each === current} onChoose={() => choose(each)}>
            <Swatches {...each} />
            <bdi className="min-w-0 wrap-anywhere">{each.name}</bdi>
            <span className="text-sm text-soft">
              {[isSame(each, used) && '正在用', each === current && !isSame(each, look) && '改过']
                .filter(Boolean)
                .join('，')}
            </span>
          </Radio>
          {saved.includes(each) && (
            <Action isDangerous label={`删除外观「${each.name}」`} onClick={() => onDelete(each.name)}>
              删除
            </Action>
          )}
        </div>
      ))}
    </fieldset>
  );
}

interface KeepProps {
  look: Look;
  rules: LookRules;
  isFaulty: boolean;
  change(path: string, value: string): void;
  choose(look: Look): void;
  setLooks(looks: Looks): void;
}

/** Keeps the look under a name, and exchanges it as a file. */
function Keep({ look, rules, isFaulty, change, choose, setLooks }: KeepProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, once] = useOnce();
  const attempt = (work: () => Promise<void>) =>
    once(async () => {
      setProblem('');
      await work().catch((error: unknown) => setProblem(explain(error, NOT_SAVED)));
    });
  const save = async () => {
    if (look.name.trim() === '') return setProblem('请给外观起个名字');
    if (isFaulty) return setProblem('颜色看不清，还不能保存');
    setLooks(await call('lookSave', { look: JSON.stringify(look) }, quiet));
    showNotice(`已保存「${look.name}」`);
  };
  const read = async (file: File) => {
    const found = await rules.read(file).catch((error: Error) => setProblem(error.message));
    if (found) choose(found);
  };
  return (
    <fieldset className="m-0 p-0 border-0 min-w-0">
      <legend className="section-title p-0 mb-2">保存和交换</legend>
      <LineField
        label="外观的名字"
        problem={problem}
        hint="保存同名的会替换它。文件可以发给别人，也可以放进 site.json。"
        maxLength={MAX_LOOK_NAME}
        value={look.name}
        onChange={(name) => change('name', name)}
      />
      <p className="mt-2 flex flex-wrap gap-3">
        <QuietButton aria-disabled={isBusy} onClick={() => void attempt(save)}>
          保存外观
        </QuietButton>
        <TextButton
          onClick={() => saveFile(`${look.name}.json`, JSON.stringify(look, null, 2), 'application/json')}
        >
          导出文件
        </TextButton>
        <TextButton onClick={() => input.current?.click()}>导入文件</TextButton>
      </p>
      <FileInput
        ref={input}
        accept=".json,application/json"
        label="选择外观的文件"
        onFile={(file) => void attempt(() => read(file))}
      />
    </fieldset>
  );
}
