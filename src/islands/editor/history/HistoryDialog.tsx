import { useCallback, useEffect, useState } from 'react';
import { formatMinute } from '../../../lib/shared/time.ts';
import { isCallError } from '../../../lib/client/call-error.ts';
import { AUTHORED, FIELD_NAMES, pickFields, valueOf } from '../../../lib/contract/rules/authored-fields.ts';
import type { Version, VersionItem } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import type { DraftFields } from '../../../lib/stores/draft/draft-types.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useOnce } from '../../ui/use-once.ts';
import { factOf } from './fact-of.ts';
import { WordDifference } from './WordDifference.tsx';
import { MainButton, QuietButton, TextButton } from '../../ui/Button.tsx';

const VERSIONS_PAGE_SIZE = 50;
const KINDS = { publication: '发布', draft: '草稿' };

interface Props {
  articleId: string;
  fields: DraftFields;
  onClose(): void;
  onRestore(fields: DraftFields): Promise<void>;
}

type Listed = { items: readonly VersionItem[]; total: number };

export default function HistoryDialog({ articleId, fields, onClose, onRestore }: Props) {
  const [listed, setListed] = useState<Listed | null>(null);
  const [version, setVersion] = useState<Version | null>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, once] = useOnce();

  const attempt = (work: () => Promise<void>) =>
    once(() =>
      work().then(
        () => setProblem(''),
        (error: unknown) => setProblem(isCallError(error) ? error.message : '没有加载成功，请再试一次'),
      ),
    );
  const listPage = useCallback(
    (page: number) =>
      call('versionList', { id: articleId, page, pageSize: VERSIONS_PAGE_SIZE }, { quiet: true }),
    [articleId],
  );
  useEffect(() => {
    listPage(1).then(
      ({ result, total }) => setListed({ items: result, total }),
      (error: unknown) => setProblem(isCallError(error) ? error.message : '没有加载成功'),
    );
  }, [listPage]);

  const more = async () => {
    const items = listed?.items ?? [];
    const { result, total } = await listPage(Math.floor(items.length / VERSIONS_PAGE_SIZE) + 1);
    const known = new Set(items.map(({ _id }) => _id));
    setListed({ items: [...items, ...result.filter(({ _id }) => !known.has(_id))], total });
  };
  const look = async (id: string) =>
    setVersion(await call('versionFind', { id: articleId, version: id }, { quiet: true }));
  const restore = async (chosen: Version) => {
    await onRestore(pickFields(chosen));
    onClose();
  };

  return (
    <Dialog title="历史版本" isOpen onClose={onClose} size="wide">
      <p className="mt-2 text-sm text-soft">
        每次发布、每隔几分钟的草稿都留着，越久远的留得越稀。有底色的是恢复后多出来的，划掉的是恢复后没有的。
      </p>
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
      <div className="mt-4 grid gap-6 md:grid-cols-[14rem_minmax(0,1fr)]">
        <div className="max-h-[30vh] md:max-h-[55vh] overflow-y-auto">
          {listed?.total === 0 && <p className="text-soft">还没有历史版本，写一会儿就有了。</p>}
          <ol role="list" aria-label="历史版本" className="m-0 p-0">
            {listed?.items.map((item) => (
              <li key={item._id}>
                <button
                  type="button"
                  className="account-item cursor-pointer aria-pressed:(bg-wash font-600 [box-shadow:inset_2px_0_0_var(--indigo)])"
                  aria-pressed={version?._id === item._id}
                  onClick={() => void attempt(() => look(item._id))}
                >
                  <time dateTime={item.create_time} className="tabular-nums">
                    {formatMinute(item.create_time)}
                  </time>
                  <span className="ml-2 text-sm text-soft">{KINDS[item.kind]}</span>
                </button>
              </li>
            ))}
          </ol>
          {listed && listed.items.length < listed.total && (
            <TextButton disabled={isBusy} onClick={() => void attempt(more)}>
              更早的
            </TextButton>
          )}
        </div>
        {version ? (
          <VersionView version={version} fields={fields} />
        ) : (
          <p className="text-soft">选一个版本，看看它和现在有什么不同。</p>
        )}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <QuietButton onClick={onClose}>关闭</QuietButton>
        {version && (
          <MainButton disabled={isBusy} onClick={() => void attempt(() => restore(version))}>
            恢复这一版
          </MainButton>
        )}
      </div>
    </Dialog>
  );
}

function VersionView({ version, fields }: { version: Version; fields: DraftFields }) {
  const differing = FIELD_NAMES.filter(
    (name) => name !== 'content' && String(valueOf(version, name)) !== String(valueOf(fields, name)),
  );
  return (
    <section
      className="max-h-[55vh] p-4 overflow-y-auto border border-solid border-line rounded text-[0.875rem] leading-[1.7] [overflow-wrap:anywhere]"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
      tabIndex={0}
      aria-label="和现在的不同"
    >
      {differing.map((name) => (
        <p key={name} className="mb-2" dir="auto">
          <span className="text-soft">{AUTHORED[name].label}：</span>
          <del className="text-vermilion">{factOf(name, valueOf(fields, name))}</del>{' '}
          <ins className="bg-wash no-underline">{factOf(name, valueOf(version, name))}</ins>
        </p>
      ))}
      <WordDifference before={fields.content} after={version.content} />
    </section>
  );
}
