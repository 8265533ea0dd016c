import { useEffect, useEffectEvent, useId, useState } from 'react';
import { AUTHORED } from '../../../lib/contract/rules/authored-fields.ts';
import { countCharacters } from '../../../lib/contract/rules/bounds.ts';
import { foldSlug } from '../../../lib/contract/rules/slugs.ts';
import { call } from '../../../lib/stores/api.ts';
import { attributesOf, Labelled } from '../../ui/form/LineField.tsx';

/** Pause in typing before a slug is looked up. */
const DEBOUNCE_MS = 300;

const { label, rule, bounds } = AUTHORED.slug;
const isSlug = (text: string) => rule.accepts(text) && countCharacters(text) <= bounds[1];

interface Props {
  slug: string;
  title: string;
  /** Null before the first save. */
  articleId: string | null;
  error: string | undefined;
  onChange(slug: string): void;
}

/**
 * Slug of the article's address; the one it gets without a choice is the placeholder. A slug that cannot be
 * used stays in this field only, because the server would refuse the draft.
 */
export function SlugField({ slug, title, articleId, error = '', onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState(slug);
  const [found, setFound] = useState({ of: '', slug: '', is_taken: false });
  const wanted = foldSlug(typed);
  const isTaken = found.is_taken && found.of === wanted;
  const commit = useEffectEvent(() => {
    if (wanted !== slug && isSlug(wanted) && !isTaken) onChange(wanted);
  });
  const look = useEffectEvent(async (of: string) => {
    const asked = { title: title.trim(), slug: isSlug(of) ? of : '' };
    const answer = await call(
      'slugSuggest',
      { ...asked, ...(articleId === null ? {} : { id: articleId }) },
      { quiet: true },
    );
    setFound({ of, ...answer });
    return answer.is_taken;
  });
  useEffect(() => {
    let isCurrent = true;
    const lookAndCommit = async () => {
      // A failed lookup must not keep the slug from being saved: the server decides anyway.
      const isRefused = await look(wanted).catch(() => false);
      if (isCurrent && !isRefused) commit();
    };
    const timer = setTimeout(() => void lookAndCommit(), DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [wanted]);
  // The dialog may be closed before the pause is over.
  useEffect(() => () => commit(), []);

  let problem = error;
  if (!isSlug(wanted)) problem = rule.accepts(wanted) ? `${label}不能超过 ${bounds[1]} 个字符` : rule.says;
  else if (isTaken) problem = '这个地址已经有别的文章用了，请换一个';
  const hint = '不写就用标题的拼音。公开以后再改，从前的网址会转到新的。';
  return (
    <Labelled {...{ id, label, hint, problem }}>
      <div className="flex items-center gap-1">
        <span className="flex-none text-sm text-soft" aria-hidden="true">
          /a/
        </span>
        <input
          className="field min-w-0 flex-1"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="auto"
          {...attributesOf(id, { hint, problem })}
          placeholder={found.slug}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => setTyped(wanted)}
        />
      </div>
    </Labelled>
  );
}
