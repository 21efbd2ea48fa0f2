import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  newFile: { en: 'New file', ko: '새 파일' },
  rename: { en: 'Rename', ko: '이름 변경' },
  path: { en: 'Path', ko: '경로' },
  pathHint: {
    en: 'Path in the app, such as actions/hello.ts. Folders are created automatically.',
    ko: '앱 안의 경로입니다(예: actions/hello.ts). 폴더는 자동으로 만들어집니다.',
  },
  pathTaken: { en: 'A file with this name already exists.', ko: '같은 이름의 파일이 있습니다.' },
  edited: { en: 'unsaved', ko: '저장되지 않음' },
  saved: { en: 'Saved', ko: '저장됨' },
  unsaved: {
    en: (n: number) => (n === 1 ? '1 unsaved file' : `${n} unsaved files`),
    ko: (n: number) => `저장되지 않은 파일 ${n}개`,
  },
  revert: { en: 'Discard unsaved changes', ko: '저장하지 않은 변경 취소' },
  revertTitle: { en: 'Discard unsaved changes?', ko: '저장하지 않은 변경을 취소할까요?' },
  revertText: {
    en: (n: number) =>
      `What you typed into ${n === 1 ? '1 file' : `${n} files`} since the last save is lost.`,
    ko: (n: number) => `마지막 저장 이후 파일 ${n}개에 입력한 내용이 사라집니다.`,
  },
  revertNow: { en: 'Discard changes', ko: '변경 취소' },
  check: { en: 'Check', ko: '검사' },
  fine: {
    en: 'No problems found. This draft can be deployed.',
    ko: '문제가 없습니다. 배포할 수 있는 초안입니다.',
  },
  faults: {
    en: (n: number) => (n === 1 ? '1 problem' : `${n} problems`),
    ko: (n: number) => `문제 ${n}개`,
  },
  warned: {
    en: (n: number) =>
      n === 1
        ? 'This draft can be deployed, with 1 warning.'
        : `This draft can be deployed, with ${n} warnings.`,
    ko: (n: number) => `배포할 수 있지만 경고가 ${n}개 있습니다.`,
  },
  notChecked: { en: 'Could not check the draft', ko: '초안을 검사하지 못했습니다' },
  notSaved: { en: 'Could not save the draft', ko: '초안을 저장하지 못했습니다' },
  meanwhile: {
    en: (who: string) =>
      `${who} saved this draft in the meantime. Your files are shown over theirs. Review them, then save again.`,
    ko: (who: string) =>
      `그사이 ${who} 님이 이 초안을 저장했습니다. 지금은 내 변경이 그 위에 놓여 있으니 확인한 뒤 다시 저장하세요.`,
  },
  tryIt: { en: 'Try it', ko: '시험 실행' },
  tryText: {
    en: 'Runs the files as they are in the editor, without deploying them. The job uses the real variables and resources of the workspace.',
    ko: '편집기에 있는 파일을 배포하지 않고 그대로 실행합니다. 작업은 워크스페이스의 실제 변수와 리소스를 사용합니다.',
  },
  notTried: {
    en: 'The draft has problems. Fix them, then try again.',
    ko: '초안에 문제가 있습니다. 수정한 뒤 다시 시도하세요.',
  },
  tryAgain: { en: 'Try again', ko: '다시 시도' },
  notRun: { en: 'Could not run the draft', ko: '초안을 실행하지 못했습니다' },
  noActions: {
    en: 'The draft has no action to run. Add one to app.yaml.',
    ko: '실행할 액션이 없습니다. app.yaml에 액션을 추가하세요.',
  },
  noTrial: {
    en: 'Result and log appear here.',
    ko: '결과와 로그가 여기에 표시됩니다.',
  },
  cancelJob: { en: 'Cancel job', ko: '작업 취소' },
  notCanceled: { en: 'Could not cancel the job', ko: '작업을 취소하지 못했습니다' },
  openJob: { en: 'Open job', ko: '작업 열기' },
  deploy: { en: 'Deploy', ko: '배포' },
  deployTitle: { en: (app: string) => `Deploy ${app}`, ko: (app: string) => `${app} 배포` },
  deployText: {
    en: 'The draft becomes the current version of the app. New jobs use it; queued jobs keep their version. The draft stays.',
    ko: '초안이 앱의 현재 버전이 되고 새 작업부터 적용됩니다. 이미 대기 중인 작업은 등록 당시 버전으로 실행됩니다. 초안은 그대로 남습니다.',
  },
  deployAndRemove: { en: 'Deploy and remove', ko: '삭제하고 배포' },
  sure: {
    en: (n: number) =>
      n === 1
        ? 'Yes, remove the item that is marked as removed'
        : `Yes, remove the ${n} items that are marked as removed`,
    ko: (n: number) => `삭제로 표시된 항목 ${n}개를 삭제합니다`,
  },
  fileChanges: {
    en: (n: number) => (n === 1 ? '1 changed file' : `${n} changed files`),
    ko: (n: number) => `변경된 파일 ${n}개`,
  },
  sameFiles: {
    en: 'The files are the same as those that run.',
    ko: '현재 실행 중인 파일과 같습니다.',
  },
  fileAdded: { en: 'added', ko: '추가' },
  fileChanged: { en: 'changed', ko: '변경' },
  fileRemoved: { en: 'removed', ko: '삭제' },
  fileDiff: {
    en: (path: string) => `Changes in ${path}`,
    ko: (path: string) => `${path} 변경 내용`,
  },
  notText: {
    en: 'Not shown: this file is not text, or it is too large.',
    ko: '텍스트가 아니거나 너무 커서 표시하지 않습니다.',
  },
  messageHint: {
    en: 'What changed. Shown in the deployment history.',
    ko: '변경 내용. 배포 기록에 표시됩니다.',
  },
  deployed: { en: 'Draft deployed', ko: '초안을 배포했습니다' },
  notDeployed: { en: 'Could not deploy the draft', ko: '초안을 배포하지 못했습니다' },
  discard: { en: 'Delete draft', ko: '초안 삭제' },
  discardTitle: { en: 'Delete this draft?', ko: '이 초안을 삭제할까요?' },
  discardText: {
    en: 'This deletes all its files, saved or not. The deployed app does not change.',
    ko: '저장 여부와 관계없이 모든 파일이 삭제됩니다. 배포된 앱은 그대로입니다.',
  },
  discarded: { en: 'Draft deleted', ko: '초안을 삭제했습니다' },
  notDiscarded: { en: 'Could not delete the draft', ko: '초안을 삭제하지 못했습니다' },
  empty: { en: 'The draft has no files', ko: '초안에 파일이 없습니다' },
  emptyText: {
    en: 'Add app.yaml, which lists the actions, and a file for each action.',
    ko: '액션을 적을 app.yaml과 각 액션의 파일을 추가하세요.',
  },
})
