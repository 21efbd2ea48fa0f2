/** How to deploy code: commands to type in a terminal. */
import { defineMessages, useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import styles from './deploy-guide.module.css'

const messages = defineMessages({
  functions: { en: 'Functions from the command line', ko: '명령줄로 함수 배포' },
  folder: { en: 'A folder with app.yaml', ko: 'app.yaml이 있는 폴더' },
  folderText: {
    en: 'Creates a folder with an action and deploys it. In a folder of your own, run svc deploy.',
    ko: '액션이 든 폴더를 만들어 배포합니다. 이미 있는 폴더에서는 svc deploy만 실행하면 됩니다.',
  },
  git: { en: 'A git repository', ko: 'Git 저장소' },
  gitText: {
    en: 'Deploys every app in it, on every push if you like.',
    ko: '저장소 안의 모든 앱을 배포하며, 원하면 푸시할 때마다 자동으로 반영합니다.',
  },
  connect: { en: 'Connect a repository', ko: '저장소 연결' },
  draft: { en: 'In this browser', ko: '이 브라우저에서' },
  draftText: {
    en: 'Write app.yaml and its code in a draft, and deploy it from there.',
    ko: '초안에서 app.yaml과 코드를 작성하고 바로 배포하세요.',
  },
  startDraft: { en: 'Start a draft', ko: '초안 시작' },
})

export const DeployGuide = ({ app: known }: Readonly<{ app?: string }>) => {
  const app = known ?? 'my-app'
  const t = useMessages(messages)
  const ws = useWorkspace()
  const may = useMay()
  return (
    <div className={styles.guide}>
      {may('git_sources:write') ? (
        <section>
          <h2>{t.git}</h2>
          <p>{t.gitText}</p>
          <ButtonLink
            to="/w/$ws/git-sources"
            params={{ ws }}
            search={{ form: 'new' }}
            look="primary"
          >
            {t.connect}
          </ButtonLink>
        </section>
      ) : null}
      <section>
        <h2>{t.folder}</h2>
        <p>{t.folderText}</p>
        <CommandLine command={`svc login ${location.origin}`} />
        <CommandLine command={`svc init ${app} && cd ${app} && svc deploy`} />
      </section>
      <section>
        <h2>{t.functions}</h2>
        <CommandLine command={`svc login ${location.origin}`} />
        <CommandLine
          command={`mkdir ${app} && cd ${app} && echo '{"application":{"id":"${app}"}}' > .svcrc`}
        />
        <CommandLine command="svc templates hello && svc deploy" />
      </section>
      {may('drafts:write') ? (
        <section>
          <h2>{t.draft}</h2>
          <p>{t.draftText}</p>
          <ButtonLink
            to="/w/$ws/drafts"
            params={{ ws }}
            search={{ form: 'new', ...(known === undefined ? {} : { app: known }) }}
          >
            {t.startDraft}
          </ButtonLink>
        </section>
      ) : null}
    </div>
  )
}
