import { useStore } from '@nanostores/react';
import { useEffect, useMemo } from 'react';
import { createAnswer } from '../../lib/stores/answer.ts';
import { call } from '../../lib/stores/api.ts';
import { Section } from '../ui/Section.tsx';
import { Problem } from './Problem.tsx';
import { SiteForm } from './SiteForm.tsx';
import { SiteLogo } from './SiteLogo.tsx';

const ask = () => call('siteIdentity', {}, { quiet: true });

/** What the site is called, and how it is shown. */
export function SiteSection() {
  const answer = useMemo(() => createAnswer(ask), []);
  const { data, problem } = useStore(answer.$answer);
  const load = () => void answer.load();
  useEffect(load, [answer]);
  return (
    <Section title="网站信息" className="mb-16 max-w-100">
      <p className="mb-4 text-sm text-soft">
        保存后所有页面马上更新。配置文件和环境变量里写了的以那里为准，这里不能改。
      </p>
      <Problem text={problem} onRetry={load} />
      {data && (
        <>
          <SiteForm identity={data} onSaved={load} />
          <SiteLogo identity={data} onSaved={load} />
        </>
      )}
    </Section>
  );
}
