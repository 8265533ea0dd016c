import { useState } from 'react';
import { loadLookRules } from '../../../lib/client/look-rules.ts';
import { articleUrl, tagsUrl, userUrl } from '../../../lib/shared/urls.ts';
import { $session } from '../../../lib/stores/account/session.ts';
import { call } from '../../../lib/stores/api.ts';
import { consoleAnswer } from '../console-answer.tsx';
import { LookEditor } from './LookEditor.tsx';
import { StyleForm } from './StyleForm.tsx';

const quiet = { quiet: true };
/** Any article: the newest one is shown. */
const ANY = { author: '', tag: '', order: '', details: false, page: 1, pageSize: 1 } as const;

async function ask() {
  const [looks, identity, found, rules] = await Promise.all([
    call('looks', {}, quiet),
    call('siteIdentity', {}, quiet),
    call('searchArticles', ANY, quiet),
    loadLookRules(),
  ]);
  const [newest] = found.result;
  const username = $session.get()?.username;
  const pages = {
    首页: '/home',
    ...(newest && { 文章: articleUrl(newest._id, newest.address) }),
    标签: tagsUrl(),
    ...(username && { 主页: userUrl(username) }),
  };
  return { looks, identity, rules, pages };
}

type Stored = Awaited<ReturnType<typeof ask>>;

/** The look of the site, with a preview, and the operator's own style sheet. */
export default consoleAnswer(ask, (stored) => <Look {...stored} />);

function Look({ identity, ...stored }: Stored) {
  // Each change of the identity is made with the version that was read last.
  const [current, setCurrent] = useState(identity);
  return (
    <div className="pb-16">
      <LookEditor {...stored} identity={current} onUsed={setCurrent} />
      <StyleForm identity={current} onSaved={setCurrent} />
    </div>
  );
}
