//! What a scan tells, as JSON text: the same records that the program writes.

use toolprism::GroupBy;
use toolprism_facade::record::{array_text, object_text};

use crate::commands::groups::CallGroups;
use crate::commands::runs;
use crate::messages;
use crate::scan::Scan;
use crate::totals::Totals;

/// The groups of all calls, the largest first, as a JSON array.
pub fn groups(scan: &Scan, by: GroupBy) -> String {
    array_text(CallGroups::of(by, scan).records())
}

/// The runs of every file, as a JSON array.
pub fn runs(scan: &Scan, by: GroupBy) -> String {
    array_text(runs::of(by, scan).iter().map(runs::FileRun::record))
}

/// The parts of all files that could not be read, as a JSON array.
pub fn quarantined(scan: &Scan) -> String {
    array_text(messages::quarantined(scan))
}

/// The figures of the scan, as a JSON object.
pub fn totals(scan: &Scan) -> String {
    object_text(&Totals::of(scan).record())
}
