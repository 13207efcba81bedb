import { useScrollTarget } from '../components/use-scroll-target.ts'
import { screenTitle } from '../browser/screens.ts'
import { clockResource } from '../data/clock.ts'
import { sandboxInfo } from '../data/sandbox-info.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Icon } from '../components/icon.tsx'
import { Segmented } from '../components/segmented.tsx'
import { editor, editors } from '../browser/editor.ts'
import { harUrl, reportUrl } from '../data/urls.ts'
import { behaviors } from './behavior-resource.ts'
import { BehaviorSection } from './behaviors.tsx'
import { ClockSection } from './clock-section.tsx'
import { ResetSection } from './reset-section.tsx'
import { snapshots } from './snapshots.ts'
import { SnapshotsSection } from './snapshots-section.tsx'

/** Settings of the whole sandbox. In one column, the clock and the snapshots come first, and the reset last. */
export function SandboxScreen() {
  if (!useLoaded(clockResource, snapshots, behaviors, sandboxInfo)) {
    return <p class="hint delayed">Loading…</p>
  }
  return (
    <div class="sandbox">
      <h2>{screenTitle('sandbox')}</h2>
      <div class="sandbox-aside">
        <ClockSection />
        <SnapshotsSection />
      </div>
      <BehaviorSection />
      <div class="sandbox-aside last">
        <ReportSection />
        <AboutSection />
        <ResetSection />
      </div>
    </div>
  )
}

function ReportSection() {
  const heading = useScrollTarget<HTMLHeadingElement>('report')
  return (
    <section aria-labelledby="report">
      <h2 id="report" ref={heading} tabIndex={-1}>
        Report
      </h2>
      <p class="muted">One HTML file to attach to a CI run. API keys are masked.</p>
      <div class="actions">
        <a class="button" href={reportUrl} download>
          <Icon name="download" size={14} />
          HTML report
        </a>
        <a class="button" href={harUrl} download>
          <Icon name="download" size={14} />
          HAR
        </a>
      </div>
    </section>
  )
}

function AboutSection() {
  const loaded = sandboxInfo.value
  if (loaded.state !== 'loaded') return null
  const { version, database, replica } = loaded.value
  return (
    <section aria-labelledby="about">
      <h2 id="about">About</h2>
      <p class="muted">
        paylink-sandbox {version}, data in {database}
      </p>
      <p class="muted">Lines in stack traces open in this editor:</p>
      <Segmented
        label="Editor"
        options={editors}
        value={editor.value}
        onValue={(value) => (editor.value = value)}
      />
      {replica && (
        <p class="muted">
          Leader {replica.leader}, followers {replica.followers?.join(', ') || 'none'}
        </p>
      )}
    </section>
  )
}
