import { call } from '../../../lib/stores/api.ts';
import { Answered } from '../../ui/form/Answered.tsx';
import { Section } from '../../ui/Section.tsx';
import { SiteForm } from './SiteForm.tsx';
import { SiteLogo } from './SiteLogo.tsx';

const ask = () => call('siteIdentity', {}, { quiet: true });

export const SiteSection = () => (
  <Section title="网站信息" className="mb-16 max-w-100">
    <p className="mb-4 text-sm text-soft">
      保存后所有页面马上更新。配置文件和环境变量里写了的以那里为准，这里不能改。
    </p>
    <Answered ask={ask}>
      {(identity, reload) => (
        <>
          <SiteForm identity={identity} onSaved={reload} />
          <SiteLogo identity={identity} onSaved={reload} />
        </>
      )}
    </Answered>
  </Section>
);
