//! Kinds of tools, and everything that is a pure function of a kind.
//!
//! The 37 kinds, their labels and their read-only defaults are those of the envelope's reference (Grok Build,
//! revision of September 2026). The ACP kind, the icon hint and the wording are ours: the reference has none.

use alloc::borrow::Cow;
use core::fmt;

/// One row of the table below: everything that follows from a kind.
struct Row {
    wire: &'static str,
    label: &'static str,
    read_only: bool,
    acp: AcpKind,
    icon: &'static str,
    running: &'static str,
    done: &'static str,
}

macro_rules! kinds {
    ($( $variant:ident $wire:literal $label:literal $read_only:literal $acp:ident $icon:literal $running:literal $done:literal )*) => {
        /// What a tool does, in the envelope's vocabulary: the 37 known kinds.
        ///
        /// The set is open on the wire: an unknown spelling reads as [`Kind::Other`], and [`WireKind`] keeps the
        /// spelling for writing it back. Comparison is case-sensitive (`"Read"` is unknown).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $( #[doc = concat!("Wire value `", $wire, "`, label \"", $label, "\".")] $variant, )*
        }

        impl Kind {
            /// Every known kind, in the order of the reference.
            pub const ALL: &'static [Kind] = &[ $( Kind::$variant, )* ];

            /// The kind with this wire value; `None` for an unknown spelling.
            pub fn from_wire(wire: &str) -> Option<Kind> {
                match wire { $( $wire => Some(Kind::$variant), )* _ => None }
            }

            const fn row(self) -> Row {
                match self {
                    $( Kind::$variant => Row {
                        wire: $wire, label: $label, read_only: $read_only, acp: AcpKind::$acp, icon: $icon,
                        running: $running, done: $done,
                    }, )*
                }
            }
        }
    };
}

kinds! {
    Read "read" "Read" true Read "file" "Reading" "Read"
    Edit "edit" "Edit" false Edit "pencil" "Editing" "Edited"
    Delete "delete" "Delete" false Delete "trash" "Deleting" "Deleted"
    ListDir "list_dir" "List Files" true Search "folder" "Listing" "Listed"
    Write "write" "Write" false Edit "file-plus" "Writing" "Wrote"
    Move "move" "Move" false Move "file-move" "Moving" "Moved"
    Search "search" "Search" true Search "search" "Searching" "Searched"
    Lsp "lsp" "Code Intelligence" true Search "braces" "Asking the language server" "Asked the language server"
    Execute "execute" "Run Command" false Execute "terminal" "Running" "Ran"
    Plan "plan" "Plan" false Think "list-checks" "Updating the plan" "Updated the plan"
    WebSearch "web_search" "Web Search" true Search "globe" "Searching the web" "Searched the web"
    WebFetch "web_fetch" "Web Fetch" true Fetch "download" "Fetching" "Fetched"
    BackgroundTaskAction "background_task_action" "Background Task" false Other "activity" "Checking a background task" "Checked a background task"
    WaitTasksAction "wait_tasks_action" "Wait for Tasks" false Other "hourglass" "Waiting for tasks" "Waited for tasks"
    KillTaskAction "kill_task_action" "Kill Task" false Other "square" "Stopping a task" "Stopped a task"
    List "list" "List Files" true Search "folder" "Listing" "Listed"
    Skill "skill" "Skill" false Other "sparkles" "Using a skill" "Used a skill"
    MemorySearch "memory_search" "Memory Search" true Search "brain" "Searching memory" "Searched memory"
    MemoryGet "memory_get" "Memory Read" true Read "brain" "Reading memory" "Read memory"
    Task "task" "Subagent" false Other "bot" "Running a subagent" "Ran a subagent"
    ActiveAgentMessage "active_agent_message" "Send Subagent Message" false Other "message" "Messaging a subagent" "Messaged a subagent"
    EnterPlan "enter_plan" "Enter Plan Mode" true SwitchMode "map" "Entering plan mode" "Entered plan mode"
    ExitPlan "exit_plan" "Exit Plan Mode" true SwitchMode "map" "Leaving plan mode" "Left plan mode"
    AskUser "ask_user" "Ask User" true Other "help" "Asking" "Asked"
    ImageGen "image_gen" "Generate Image" false Other "image" "Generating an image" "Generated an image"
    VideoGen "video_gen" "Generate Video" false Other "video" "Generating a video" "Generated a video"
    ImageToVideo "image_to_video" "Generate Video" false Other "video" "Generating a video" "Generated a video"
    ReferenceToVideo "reference_to_video" "Generate Video" false Other "video" "Generating a video" "Generated a video"
    DeployApp "deploy_app" "Deploy App" false Other "rocket" "Deploying" "Deployed"
    InitOrUpdateApp "init_or_update_app" "Init or Update App" false Other "package" "Updating the app" "Updated the app"
    SearchTool "search_tool" "Search Tools" false Search "search" "Searching tools" "Searched tools"
    UseTool "use_tool" "Use Tool" false Other "wrench" "Using a tool" "Used a tool"
    Monitor "monitor" "Monitor" false Execute "activity" "Monitoring" "Monitored"
    GoalUpdate "goal_update" "Update Goal" false Other "target" "Updating the goal" "Updated the goal"
    Workflow "workflow" "Workflow" false Other "workflow" "Running a workflow" "Ran a workflow"
    Feedback "feedback" "Feedback" false Other "message" "Sending feedback" "Sent feedback"
    Other "other" "Tool" false Other "wrench" "Using a tool" "Used a tool"
}

impl Kind {
    /// The wire value, such as `"web_search"`. It is also the stem of the i18n keys.
    pub const fn as_str(self) -> &'static str {
        self.row().wire
    }

    /// The cross-harness grouping key, such as `"Run Command"`: a pure function of the kind, and the recommended join key.
    pub const fn label(self) -> &'static str {
        self.row().label
    }

    /// Whether tools of this kind leave the user's files and systems alone; single tools override it (see the catalog).
    pub const fn read_only(self) -> bool {
        self.row().read_only
    }

    /// The ACP tool kind that fits best.
    pub const fn acp_kind(self) -> AcpKind {
        self.row().acp
    }

    /// The name of a line icon that suits the kind (names in use by the common icon sets).
    pub const fn icon(self) -> &'static str {
        self.row().icon
    }

    /// English words and a stable i18n key for a call of this kind, by tense.
    ///
    /// ```
    /// use toolprism::{Kind, Tense};
    /// let w = Kind::Execute.wording(Tense::Done);
    /// assert_eq!((w.text, w.key().as_str()), ("Ran", "tool.execute.done"));
    /// ```
    pub const fn wording(self, tense: Tense) -> Wording {
        let row = self.row();
        let text = match tense {
            Tense::Running => row.running,
            Tense::Done => row.done,
        };
        Wording { kind: self, tense, text }
    }
}

/// Whether a wording speaks of a call that runs or of one that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tense {
    /// "Reading"
    Running,
    /// "Read"
    Done,
}

/// What to say of a call, in English, with the key under which translations are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wording {
    kind: Kind,
    tense: Tense,
    /// The English words, such as `"Searching the web"`.
    pub text: &'static str,
}

impl Wording {
    /// The stable i18n key: `tool.<kind>.running` or `tool.<kind>.done`.
    pub fn key(&self) -> alloc::string::String {
        let tense = match self.tense {
            Tense::Running => "running",
            Tense::Done => "done",
        };
        alloc::format!("tool.{}.{tense}", self.kind.as_str())
    }
}

/// ACP's own tool kinds (Agent Client Protocol, `ToolKind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AcpKind {
    /// `read`
    Read,
    /// `edit`
    Edit,
    /// `delete`
    Delete,
    /// `move`
    Move,
    /// `search`
    Search,
    /// `execute`
    Execute,
    /// `think`
    Think,
    /// `fetch`
    Fetch,
    /// `switch_mode`
    SwitchMode,
    /// `other`: the absence of knowledge, not a kind of its own
    Other,
}

impl AcpKind {
    /// The ACP wire value.
    pub const fn as_str(self) -> &'static str {
        match self {
            AcpKind::Read => "read",
            AcpKind::Edit => "edit",
            AcpKind::Delete => "delete",
            AcpKind::Move => "move",
            AcpKind::Search => "search",
            AcpKind::Execute => "execute",
            AcpKind::Think => "think",
            AcpKind::Fetch => "fetch",
            AcpKind::SwitchMode => "switch_mode",
            AcpKind::Other => "other",
        }
    }

    /// Reads an ACP wire value; an unknown one is [`AcpKind::Other`], as ACP says.
    pub fn from_wire(wire: &str) -> AcpKind {
        match wire {
            "read" => AcpKind::Read,
            "edit" => AcpKind::Edit,
            "delete" => AcpKind::Delete,
            "move" => AcpKind::Move,
            "search" => AcpKind::Search,
            "execute" => AcpKind::Execute,
            "think" => AcpKind::Think,
            "fetch" => AcpKind::Fetch,
            "switch_mode" => AcpKind::SwitchMode,
            _ => AcpKind::Other,
        }
    }

    /// The kind a call most likely has when its ACP kind is all that is known of it. `think` and `other` say nothing.
    pub const fn to_kind(self) -> Option<Kind> {
        match self {
            AcpKind::Read => Some(Kind::Read),
            AcpKind::Edit => Some(Kind::Edit),
            AcpKind::Delete => Some(Kind::Delete),
            AcpKind::Move => Some(Kind::Move),
            AcpKind::Search => Some(Kind::Search),
            AcpKind::Execute => Some(Kind::Execute),
            AcpKind::Fetch => Some(Kind::WebFetch),
            AcpKind::SwitchMode => Some(Kind::ExitPlan),
            AcpKind::Think | AcpKind::Other => None,
        }
    }
}

/// A kind as it stands in an envelope: any string, known or not.
///
/// ```
/// use toolprism::{Kind, WireKind};
/// let new = WireKind::from("computer_use");
/// assert_eq!(new.kind(), Kind::Other);      // unknown reads as `other`...
/// assert_eq!(new.as_str(), "computer_use"); // ...and its spelling survives being written back
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WireKind(Cow<'static, str>);

impl WireKind {
    /// The known kind, or [`Kind::Other`].
    pub fn kind(&self) -> Kind {
        Kind::from_wire(&self.0).unwrap_or(Kind::Other)
    }

    /// The spelling on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Kind> for WireKind {
    fn from(kind: Kind) -> Self {
        WireKind(Cow::Borrowed(kind.as_str()))
    }
}

impl From<&str> for WireKind {
    fn from(wire: &str) -> Self {
        match Kind::from_wire(wire) {
            Some(kind) => kind.into(),
            None => WireKind(Cow::Owned(wire.into())),
        }
    }
}

impl fmt::Display for WireKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The kind a tool call will have, from its wire name alone, while its arguments still stream.
///
/// The seventeen names are the reference's: tools that write or run. Reading tools and dispatchers (`read_file`,
/// `use_tool`) are absent on purpose, since nothing is "being written" for them.
///
/// ```
/// use toolprism::{writing_tool_kind, Kind};
/// assert_eq!(writing_tool_kind("apply_patch"), Some(Kind::Edit));
/// assert_eq!(writing_tool_kind("read_file"), None);
/// ```
pub fn writing_tool_kind(wire_name: &str) -> Option<Kind> {
    Some(match wire_name {
        "write" => Kind::Write,
        "search_replace" | "edit" | "hashline_edit" | "apply_patch" => Kind::Edit,
        "run_terminal_command" | "run_terminal_cmd" | "bash" => Kind::Execute,
        "todo_write" | "todowrite" => Kind::Plan,
        "workflow" => Kind::Workflow,
        "image_gen" | "image_edit" => Kind::ImageGen,
        "image_to_video" => Kind::ImageToVideo,
        "reference_to_video" => Kind::ReferenceToVideo,
        "ask_user_question" => Kind::AskUser,
        "send_feedback" => Kind::Feedback,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_seven_kinds_round_trip_and_none_is_guessed() {
        assert_eq!(Kind::ALL.len(), 37);
        for &kind in Kind::ALL {
            assert_eq!(Kind::from_wire(kind.as_str()), Some(kind));
            assert_eq!(WireKind::from(kind.as_str()), WireKind::from(kind));
        }
        assert_eq!(Kind::from_wire("Read"), None);
        assert_eq!(Kind::from_wire(""), None);
    }

    #[test]
    fn labels_collide_only_where_the_reference_says_so() {
        let with = |label| Kind::ALL.iter().filter(|k| k.label() == label).count();
        assert_eq!(with("List Files"), 2);
        assert_eq!(with("Generate Video"), 3);
        let others = Kind::ALL.iter().filter(|k| with(k.label()) == 1).count();
        assert_eq!(others, 37 - 2 - 3);
    }

    #[test]
    fn read_only_kinds_are_the_reference_twelve() {
        let wires: alloc::vec::Vec<_> = Kind::ALL.iter().filter(|k| k.read_only()).map(|k| k.as_str()).collect();
        assert_eq!(
            wires,
            [
                "read",
                "list_dir",
                "search",
                "lsp",
                "web_search",
                "web_fetch",
                "list",
                "memory_search",
                "memory_get",
                "enter_plan",
                "exit_plan",
                "ask_user"
            ]
        );
    }
}
