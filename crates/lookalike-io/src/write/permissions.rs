//! Gives an output the permissions of the file it replaces.

use std::fs::{File, Metadata, OpenOptions};
use std::io;

/// Lets nobody else open a new file until its permissions are set.
#[cfg(unix)]
pub(super) fn only_mine(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;

    options.mode(0o600);
}

/// Elsewhere a new file has the permissions of its folder.
#[cfg(not(unix))]
pub(super) fn only_mine(_options: &mut OpenOptions) {}

/// Gives `file` the owner, group and mode of the file it replaces, as far as the user may.
#[cfg(unix)]
pub(super) fn copy(replaced: &Metadata, file: &File) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let own = file.metadata()?;
    let (uid, gid) = (replaced.uid(), replaced.gid());
    let has_owner = own.uid() == uid || fchown(file, Some(uid), None).is_ok();
    let has_group = own.gid() == gid || fchown(file, None, Some(gid)).is_ok();
    let mode = allowed(replaced.mode(), has_owner, has_group);
    file.set_permissions(Permissions::from_mode(mode))
}

/// Elsewhere a file is read-only or not.
#[cfg(not(unix))]
pub(super) fn copy(replaced: &Metadata, file: &File) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

/// The mode of the new file, depending on whether it has the owner and the group of the replaced one. Another group gets only the rights
/// of everybody, and another owner or group no set-user-id or set-group-id bit.
#[cfg(unix)]
fn allowed(mode: u32, has_owner: bool, has_group: bool) -> u32 {
    let mode = if has_owner && has_group { mode & 0o7777 } else { mode & 0o777 };
    if has_group { mode } else { mode & 0o707 | (mode & 0o007) << 3 }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn another_group_gains_nothing() {
        assert_eq!(allowed(0o100_640, true, true), 0o640);
        assert_eq!(allowed(0o100_640, true, false), 0o600);
        assert_eq!(allowed(0o100_664, false, false), 0o644);
        assert_eq!(allowed(0o104_755, false, true), 0o755);
        assert_eq!(allowed(0o104_755, true, true), 0o4755);
    }
}
